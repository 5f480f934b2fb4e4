"""What is kept of the screen: pictures, data, animations, lesson packs, pages of their own."""
