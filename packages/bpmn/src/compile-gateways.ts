import type { FlowNode, NodeBase } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './scope-draft.js';
import { GATEWAY_PROPERTIES } from './check-properties.js';
import type { ElementCompilers } from './element-compiler.js';
import { requireFormalExpression } from './expression-language.js';
import { getElement, getString } from './moddle.js';
import { isInstantiating } from './node-kinds.js';

/** Compilers of all kinds of gateways. The rules for their flows are in flow-rules.ts and gateway-rules.ts. */
export const gatewayCompilers: ElementCompilers = new Map([
  [
    'exclusiveGateway',
    {
      properties: [...GATEWAY_PROPERTIES, 'default'],
      extensions: [],
      compile: (_context, _draft, base) => ({ ...base, kind: 'exclusiveGateway' }),
    },
  ],
  [
    'inclusiveGateway',
    {
      properties: [...GATEWAY_PROPERTIES, 'default'],
      extensions: [],
      compile: (_context, _draft, base) => ({ ...base, kind: 'inclusiveGateway' }),
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
  [
    'eventBasedGateway',
    {
      properties: [...GATEWAY_PROPERTIES, 'instantiate', 'eventGatewayType'],
      extensions: [],
      compile: (_context, draft, base) => ({
        ...base,
        kind: 'eventGateway',
        instantiate: isInstantiating(draft),
        parallel: getString(draft.element, 'eventGatewayType') === 'Parallel',
      }),
    },
  ],
  [
    'complexGateway',
    {
      properties: [...GATEWAY_PROPERTIES, 'default', 'activationCondition'],
      extensions: [],
      compile: compileComplex,
    },
  ],
]);

function compileComplex(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  const condition = getElement(draft.element, 'activationCondition');
  if (condition === undefined) return { ...base, kind: 'complexGateway', activationCondition: null };
  const activationCondition = requireFormalExpression(context, base.id, 'activationCondition', condition);
  return activationCondition === undefined ? undefined : { ...base, kind: 'complexGateway', activationCondition };
}
