import { GATEWAY_PROPERTIES } from './element-rules.js';
import type { Families } from './family.js';

/** Exclusive and parallel gateways; what their flows must be is in flow-rules.ts. */
export const gatewayFamilies: Families = new Map([
  [
    'exclusiveGateway',
    {
      properties: [...GATEWAY_PROPERTIES, 'default'],
      extensions: [],
      compile: (_context, _draft, base) => ({ ...base, kind: 'exclusiveGateway' }),
    },
  ],
  [
    'parallelGateway',
    {
      properties: GATEWAY_PROPERTIES,
      extensions: [],
      compile: (_context, _draft, base) => ({ ...base, kind: 'parallelGateway' }),
    },
  ],
]);
