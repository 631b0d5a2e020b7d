/** The Countersign server: mounted in a Koa application, as one of its own, or on a port. */
export * from './app/index.js';
export { SERVER_VERSION } from './app/version.js';
export { AuthConfigurationError } from './auth/check-configuration.js';
export { mintDevToken, type DevToken, type DevTokenRequest } from './auth/dev-tokens.js';
export { createLogger, type LoggerOptions } from './app/create-logger.js';
