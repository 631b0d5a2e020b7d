import type { CedarValueJson, EntityJson, EntityUidJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { Json } from '@countersign/core/plugin';
import { type PolicyRequest, readNetworkHost } from '@countersign/model';
import { buildTags } from './json-tags.js';
import { DATA_NAMES, type DataName, type Reads } from './reads.js';
import type { EntityRef } from './scope.js';

/** Request to Cedar without the action. */
export interface EncodedRequest {
  readonly principal: EntityRef;
  readonly resource: EntityRef;
  readonly context: Readonly<Record<string, CedarValueJson>>;
  readonly entities: readonly EntityJson[];
}

/**
 * Encodes a request for Cedar, with only the data that the policies read.
 *
 * @throws {UndecidableError} if that data cannot be represented exactly
 */
export function encodeRequest(request: PolicyRequest, tools: readonly string[], reads: Reads): EncodedRequest {
  const { call } = request;
  const principal: EntityRef =
    request.agentName === null
      ? { type: 'Engine', id: 'countersign', parents: [] }
      : { type: 'Agent', id: request.agentName, parents: [] };
  const step = toStepRef(request);
  const resource = call === null ? step : toToolRef(call.tool);
  const attributes = new AttributeFilter(reads);
  const context = buildContext(request, tools, attributes);
  const entities: EntityJson[] = [
    toEntityJson(
      resource,
      call === null ? buildStepAttributes(request, attributes) : buildToolAttributes(call, attributes),
    ),
  ];
  if (call !== null && attributes.isRead('step'))
    entities.push(toEntityJson(step, buildStepAttributes(request, attributes)));
  const data: Readonly<Record<DataName, Readonly<Record<string, Json>> | undefined>> = {
    headers: request.headers,
    properties: request.properties,
    inputs: request.inputs,
    arguments: call?.arguments,
  };
  for (const name of DATA_NAMES) {
    const [value, paths] = [data[name], reads.data.get(name)];
    if (value === undefined || paths === undefined) continue;
    entities.push({
      uid: { type: 'Data', id: name },
      attrs: {},
      parents: [],
      tags: buildTags(name, value, paths, reads.attributes),
    });
  }
  return { principal, resource, context, entities };
}

/** Returns the entity of a tool that is known only by its name. */
export function toToolRef(name: string): EntityRef {
  const parts = name.split('.');
  return {
    type: 'Tool',
    id: name,
    parents: parts.slice(1).map((_part, index) => ({ type: 'ToolGroup', id: parts.slice(0, index + 1).join('.') })),
  };
}

function toStepRef({ workflowId, elementId }: PolicyRequest): EntityRef {
  return { type: 'Step', id: `${workflowId}/${elementId}`, parents: [{ type: 'Workflow', id: workflowId }] };
}

/** Filter that keeps only the attributes that a policy reads. */
class AttributeFilter {
  constructor(readonly policyReads: Reads) {}

  isRead(name: string): boolean {
    return this.policyReads.readsWholeContext || this.policyReads.attributes.has(name);
  }

  pick(getters: Readonly<Record<string, () => CedarValueJson | undefined>>): Record<string, CedarValueJson> {
    const picked: Record<string, CedarValueJson> = {};
    for (const [name, getValue] of Object.entries(getters)) {
      const value = this.isRead(name) ? getValue() : undefined;
      if (value !== undefined) picked[name] = value;
    }
    return picked;
  }
}

function buildContext(
  request: PolicyRequest,
  tools: readonly string[],
  attributes: AttributeFilter,
): Record<string, CedarValueJson> {
  const { call } = request;
  const hosts = (): string[] => [...new Set(request.hosts.map(toHostName))];
  return attributes.pick({
    workflow: () => toEntityValue('Workflow', request.workflowId),
    workflowVersion: () => request.workflowVersion,
    workflowDigest: () => request.workflowDigest,
    startedBy: () => request.startedBy,
    runRisk: () => request.runRisk,
    taint: () => [...request.taint],
    tools: () => [...tools],
    headers: () => toEntityValue('Data', 'headers'),
    properties: () => toEntityValue('Data', 'properties'),
    inputs: () => toEntityValue('Data', 'inputs'),
    hosts,
    domains: () => [...new Set(hosts().flatMap(listDomains))],
    ports: () => [...request.ports],
    ...(call === null
      ? {}
      : {
          step: () => toEntityValue('Step', toStepRef(request).id),
          arguments: () => toEntityValue('Data', 'arguments'),
          artifacts: () => [...call.artifacts],
          edited: () => call.edited,
        }),
  });
}

function buildStepAttributes(request: PolicyRequest, attributes: AttributeFilter): Record<string, CedarValueJson> {
  return attributes.pick({
    element: () => request.elementId,
    name: () => request.elementName ?? undefined,
    stepType: () => request.stepType,
    jobType: () => request.jobType ?? undefined,
    effect: () => (request.call === null ? (request.effect ?? undefined) : undefined),
  });
}

function buildToolAttributes(
  call: NonNullable<PolicyRequest['call']>,
  attributes: AttributeFilter,
): Record<string, CedarValueJson> {
  return attributes.pick({
    name: () => call.tool,
    digest: () => call.toolDigest,
    effect: () => call.effect,
    reversible: () => call.reversible,
  });
}

/**
 * Returns the normalised host name. Calls with an unreadable host are refused; for calls recorded before that rule,
 * only the text is available.
 */
function toHostName(host: string): string {
  return readNetworkHost(host)?.name ?? host.toLowerCase();
}

/** Returns a host and all its parent domains. An IP address has no parent domains. */
function listDomains(host: string): string[] {
  if (host.includes(':') || /^[\d.]+$/.test(host)) return [host];
  const labels = host.split('.');
  return labels.map((_label, index) => labels.slice(index).join('.'));
}

function toEntityValue(type: string, id: string): CedarValueJson {
  return { __entity: { type, id } };
}

function toEntityJson({ type, id, parents }: EntityRef, attrs: Record<string, CedarValueJson>): EntityJson {
  return { uid: toEntityUid(type, id), attrs, parents: parents.map((parent) => toEntityUid(parent.type, parent.id)) };
}

function toEntityUid(type: string, id: string): EntityUidJson {
  return { type, id };
}
