import type { Host } from '@countersign/core';

/** What the server needs of a host: its parts, and its configuration. */
export type ServerHost = Pick<Host, 'get' | 'getAll' | 'configuration'>;
