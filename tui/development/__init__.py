"""What `treadle plugin dev` is made of: a look at the plugin, its runs one by one, and what is said of them."""
