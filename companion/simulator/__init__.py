"""A virtual table: solids in perspective through a distorting lens, lamp and window light, hands, sensor noise."""
