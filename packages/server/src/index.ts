/** The Countersign server: as middleware in a Koa application, as a separate application, or on a port. */
export * from './app/index.js';
export { SERVER_VERSION } from './app/version.js';
export { AuthConfigurationError } from './auth/check-configuration.js';
export { mintDevToken, type DevToken, type DevTokenRequest } from './auth/dev-tokens.js';
export { createLogger, type LoggerOptions } from './app/create-logger.js';
