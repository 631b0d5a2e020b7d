export { createApp } from './create-app.js';
export { createMiddleware, type CountersignMiddleware, type MiddlewareOptions } from './create-middleware.js';
export { createServer, type CountersignServer, type ListeningAddress } from './create-server.js';
export type { ServerHost } from './server-host.js';
