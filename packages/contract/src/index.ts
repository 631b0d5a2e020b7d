export * from './define-route.js';
export * from './error-codes.js';
export * from './roles.js';
export * from './routes/index.js';
export * from './schemas/index.js';
