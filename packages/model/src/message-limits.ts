/**
 * Longest name and longest correlation key of a message, in UTF-16 code units: both stand in indexes. Zeebe has the same
 * limit where it stores in a relational database.
 */
export const MAX_MESSAGE_TEXT = 256;
