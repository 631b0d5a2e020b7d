import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { statelessServer } from './stateless-server.js';

// As a program, which is told whether it knows the revisions before, too.
const [, , legacy = 'reject'] = process.argv;
serveStdio(statelessServer, { legacy: legacy === 'serve' ? 'serve' : 'reject' });
