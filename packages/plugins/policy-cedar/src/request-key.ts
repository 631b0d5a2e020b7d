import type { PolicyRequest } from '@countersign/model';
import type { Reads, ReadsByKind } from './reads.js';

/**
 * Function that returns a key, such that Cedar's results are equal for requests with the same key; `null` if policies
 * read data of the request, which must then be encoded first.
 */
export type BuildRequestKey = (request: PolicyRequest) => string | null;

type KeyPart = (request: PolicyRequest) => unknown;

/** Attributes that may differ from run to run, and the part of a request that each contains. */
const STEP_PARTS: Readonly<Record<string, KeyPart>> = {
  name: ({ elementName }) => elementName,
  effect: ({ effect }) => effect,
  ...commonParts(),
};
const CALL_PARTS: Readonly<Record<string, KeyPart>> = {
  // Name of the step of the call, which may differ in another workflow version.
  name: ({ elementName }) => elementName,
  digest: ({ call }) => call?.toolDigest,
  artifacts: ({ call }) => call?.artifacts,
  ...commonParts(),
};

/**
 * Returns a function that builds cache keys without encoding the request, because most steps do not differ in anything
 * that a policy reads.
 */
export function createRequestKeyBuilder({ step, call }: ReadsByKind): BuildRequestKey {
  const readStepParts = createPartsReader(step, STEP_PARTS);
  const readCallParts = createPartsReader(call, CALL_PARTS);
  return (request) => {
    const parts = (request.call === null ? readStepParts : readCallParts)?.(request);
    if (parts === undefined) return null;
    const { agentName, workflowId, elementId, stepType, jobType, headers, call: toolCall } = request;
    parts.push(
      agentName,
      workflowId,
      elementId,
      stepType,
      jobType,
      Object.hasOwn(headers, 'tools') ? headers['tools'] : null,
    );
    if (toolCall !== null) parts.push(toolCall.tool, toolCall.effect, toolCall.reversible, toolCall.edited);
    return JSON.stringify([request.call === null, ...parts]);
  };
}

function createPartsReader(
  { attributes, readsWholeContext, data }: Reads,
  parts: Readonly<Record<string, KeyPart>>,
): ((request: PolicyRequest) => unknown[]) | undefined {
  if (data.size > 0) return undefined;
  const usedParts = Object.entries(parts).flatMap(([name, part]) =>
    readsWholeContext || attributes.has(name) ? [part] : [],
  );
  return (request) => usedParts.map((part) => part(request));
}

function commonParts(): Readonly<Record<string, KeyPart>> {
  return {
    workflowVersion: ({ workflowVersion }) => workflowVersion,
    workflowDigest: ({ workflowDigest }) => workflowDigest,
    startedBy: ({ startedBy }) => startedBy,
    runRisk: ({ runRisk }) => runRisk,
    hosts: ({ hosts }) => hosts,
    domains: ({ hosts }) => hosts,
    ports: ({ ports }) => ports,
    taint: ({ taint }) => taint,
  };
}
