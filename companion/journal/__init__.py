"""What happened, on disk before anybody hears of it: `archive` has the games, `log` their file, `export` goes out."""
