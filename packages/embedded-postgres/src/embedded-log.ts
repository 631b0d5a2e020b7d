/** Methods that a logger must have. A pino logger has them. */
export interface EmbeddedLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
