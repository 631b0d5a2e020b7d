/** Logger of the embedded database. A pino logger implements it. */
export interface EmbeddedLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
