scaled[-1].value()
