"""The companion as a service that runs for weeks: the loop from camera to referee, the page's address, and the machine.

`vision_loop` is where to begin reading.
"""
