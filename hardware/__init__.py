"""What touches the world; knows neither game nor vision nor calibration. Begin reading with `cameras` and `board`.

Cameras: which one a word means, each kind, and the process that it lives in
    cameras camera_picamera2 camera_usb camera_files camera_worker camera_child camera_link
What they deliver
    frames pictures
Lamps, buzzer, buttons and strip, on real pins or on mock ones
    board lights sounds buttons strip spi pins
What can go wrong
    errors
"""
