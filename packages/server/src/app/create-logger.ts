import { pino, type DestinationStream, type Logger } from 'pino';

export interface LoggerOptions {
  /** `Log:Level`. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

const SECRET_FIELDS = [
  'authorization',
  'Authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'access_token',
  'connectionString',
  'privateKey',
];

/** Redaction of secrets in log fields, in case a secret is logged. */
const REDACTION = { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' };

/** Creates a pino logger for the logger port: one line of JSON per entry, without tokens and secrets. */
export function createLogger({ level = 'info', destination }: LoggerOptions = {}): Logger {
  const options = {
    level,
    base: null,
    redact: REDACTION,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
