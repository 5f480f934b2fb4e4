"""Files of what is on the screen: pictures, data, animations, lesson packs."""
