import type { Host } from '@countersign/core';

/** The parts of a host that the server needs: its services and its configuration. */
export type ServerHost = Pick<Host, 'get' | 'getAll' | 'configuration'>;
