"""What is known of the version before and still holds after an edit."""
