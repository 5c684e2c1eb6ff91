"""The demand of a call on a device: counted from its specialisation and sizes, and looked up in its arguments."""
