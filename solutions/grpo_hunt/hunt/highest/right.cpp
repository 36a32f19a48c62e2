scaled(0).value()
