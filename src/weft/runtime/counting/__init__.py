"""What a call asks of a device, from its specialisation and its arguments: counted, and looked up in what they hold."""
