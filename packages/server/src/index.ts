/** The Countersign server: Koa middleware, a standalone Koa application, or an HTTP server that listens on a port. */
export * from './app/index.js';
export { SERVER_VERSION } from './app/version.js';
export { AuthConfigurationError } from './auth/check-auth-configuration.js';
export { mintDevToken, type DevToken, type DevTokenRequest } from './auth/dev-tokens.js';
export { createLogger, type LoggerOptions } from './app/create-logger.js';
