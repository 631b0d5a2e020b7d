import type { PolicyRequest } from '@countersign/model';
import type { Cedar } from './cedar.js';
import { encodeRequest } from './encode-request.js';
import { DATA_NAMES, type Reads } from './reads.js';

interface SchemaProblem {
  /** Offset in the schema; `null` for the whole schema. */
  readonly byteOffset: number | null;
  readonly message: string;
}

const ALL_READS: Reads = {
  attributes: new Set([
    ...[
      'workflow',
      'workflowVersion',
      'workflowDigest',
      'startedBy',
      'runRisk',
      'taint',
      'tools',
      'headers',
      'properties',
      'inputs',
    ],
    ...['step', 'arguments', 'hosts', 'domains', 'ports', 'artifacts', 'edited'],
    ...['element', 'name', 'stepType', 'jobType', 'effect', 'digest', 'reversible', 'kind', 'text', 'texts', 'number'],
  ]),
  readsWholeContext: true,
  data: new Map(DATA_NAMES.map((name) => [name, 'all'])),
};

/** Key in Cedar's cache of parsed schemas and policy sets. */
const CHECK_NAME = 'check';

const SAMPLE_STEP: PolicyRequest = {
  runId: '00000000-0000-7000-8000-000000000000',
  workflowId: 'workflow',
  workflowVersion: 1,
  workflowDigest: `sha256:${'0'.repeat(64)}`,
  elementId: 'element',
  elementName: 'Element',
  stepType: 'serviceTask',
  jobType: 'agent',
  headers: { header: 'text' },
  properties: { property: 1 },
  inputs: { input: [null, true, 1.5, 'text'] },
  agentName: 'agent',
  call: null,
  effect: 'write',
  hosts: ['api.example.com:8443'],
  ports: [8443],
  taint: ['webhook'],
  startedBy: 'ann',
  runRisk: 'low',
};

const SAMPLE_CALL: PolicyRequest = {
  ...SAMPLE_STEP,
  call: {
    tool: 'group.tool',
    toolDigest: `sha256:${'0'.repeat(64)}`,
    effect: 'write',
    reversible: false,
    hosts: ['api.example.com:8443'],
    artifacts: ['artifact'],
    arguments: { argument: 1 },
    edited: false,
  },
};

const SAMPLE_REQUESTS: readonly (readonly [string, PolicyRequest])[] = [
  ['perform', SAMPLE_STEP],
  ['perform', { ...SAMPLE_STEP, agentName: null, elementName: null, jobType: null, effect: null }],
  ['weighStep', SAMPLE_STEP],
  ['call', SAMPLE_CALL],
  ['callUnattended', SAMPLE_CALL],
  ['weighCall', SAMPLE_CALL],
];

/**
 * Returns the problems of a schema. Policies are checked against it, so it must describe the requests that Countersign
 * really sends. Sample requests for every action are tried.
 */
export function checkSchema(cedar: Cedar, schema: string): readonly SchemaProblem[] {
  const parsed = cedar.use((module) => module.preparseSchema(CHECK_NAME, schema));
  if (parsed.type === 'failure') {
    return parsed.errors.map(({ message, sourceLocations }) => ({
      byteOffset: sourceLocations?.[0]?.start ?? null,
      message,
    }));
  }
  return SAMPLE_REQUESTS.flatMap(([action, request]) => {
    const { principal, resource, context, entities } = encodeRequest(request, ['group.tool'], ALL_READS);
    const result = cedar.use((module) => {
      module.preparsePolicySet(CHECK_NAME, { staticPolicies: {} });
      return module.statefulIsAuthorized({
        principal: { type: principal.type, id: principal.id },
        action: { type: 'Action', id: action },
        resource: { type: resource.type, id: resource.id },
        context: { ...context },
        entities: [...entities],
        preparsedSchemaName: CHECK_NAME,
        validateRequest: true,
        preparsedPolicySetId: CHECK_NAME,
      });
    });
    if (result.type === 'success') return [];
    return result.errors.map(({ message }) => ({
      byteOffset: null,
      message: `the schema does not match the requests of the server for Action::"${action}": ${message}`,
    }));
  });
}
