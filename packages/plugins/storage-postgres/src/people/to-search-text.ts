/**
 * Returns a text as it is searched and sorted: differently typed forms are equal, in every language. PostgreSQL's
 * `lower` depends on the locale of the database.
 */
export function toSearchText(text: string): string {
  return text.normalize('NFC').toLowerCase().toWellFormed();
}
