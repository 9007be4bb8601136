"""How well a layout fits what is seen: on cells, lying free, on a plan that may lie anywhere; begin with `layout`."""
