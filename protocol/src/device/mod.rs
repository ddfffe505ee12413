//! The board's side of the conversation.
