import type { FileContext } from './compile-context.js';
import { checkProperties } from './check-properties.js';
import { checkMessageFlows } from './message-flow-rules.js';
import { getElement, getElements, getBoolean, getId, getTag, type ModdleElement } from './moddle.js';

/** Root elements that define something for other elements, or are documentation only. */
const IGNORED_ELEMENTS: ReadonlySet<string> = new Set([
  'message',
  'signal',
  'error',
  'escalation',
  'itemDefinition',
  'dataStore',
  'category',
  'resource',
  'interface',
  'endPoint',
  'partnerEntity',
  'partnerRole',
  'correlationProperty',
  // Event definitions that several events may share. An event that refers to an unsupported one is itself refused.
  'cancelEventDefinition',
  'compensateEventDefinition',
  'conditionalEventDefinition',
  'errorEventDefinition',
  'escalationEventDefinition',
  'linkEventDefinition',
  'messageEventDefinition',
  'signalEventDefinition',
  'terminateEventDefinition',
  'timerEventDefinition',
]);

/** Returns the executable processes of a file, in document order. Checks the rest of the file. */
export function selectProcesses(context: FileContext, definitions: ModdleElement): readonly ModdleElement[] {
  const { problems } = context;
  for (const extension of getElements(definitions, 'extensions')) {
    if (getBoolean(extension, 'mustUnderstand') !== true) continue;
    problems.add(null, 'unknown_extension', 'The model requires an extension (mustUnderstand) that is not supported.');
  }
  const processes: ModdleElement[] = [];
  for (const element of getElements(definitions, 'rootElements')) {
    const type = getTag(element);
    if (type === 'process') processes.push(element);
    else if (type === 'collaboration') checkCollaboration(context, element);
    else if (!IGNORED_ELEMENTS.has(type)) {
      problems.add(getId(element), 'unsupported_element', `A ${type} is not supported in this version.`);
    }
  }
  const executable = processes.filter((process) => getBoolean(process, 'isExecutable') === true);
  if (executable.length === 0) {
    const message = 'The file has no executable process (isExecutable="true").';
    problems.add(processes[0] === undefined ? null : getId(processes[0]), 'no_executable_process', message);
  }
  for (const process of processes) {
    if (executable.includes(process) || (executable.length === 0 && process === processes[0])) continue;
    if (getElements(process, 'flowElements').length === 0) continue;
    const message =
      'This process is not executable, but has content; only an empty process may represent a black-box pool.';
    problems.add(getId(process), 'process_not_executable', message);
  }
  return executable;
}

/**
 * Checks a collaboration. Pools and message flows are documentation; messages are correlated by name and key (BPMN 2.0,
 * 9.2). Conversations and choreographies are more than documentation, so they are refused.
 */
function checkCollaboration(context: FileContext, collaboration: ModdleElement): void {
  const id = getId(collaboration);
  checkProperties(context, collaboration, id, ['isClosed', 'participants', 'messageFlows', 'artifacts']);
  for (const participant of getElements(collaboration, 'participants')) {
    const participantId = getId(participant) ?? id;
    checkProperties(context, participant, participantId, [
      'processRef',
      'interfaceRef',
      'endPointRefs',
      'participantMultiplicity',
    ]);
    checkMultiplicity(context, participant, participantId);
  }
  checkMessageFlows(context, collaboration);
}

/**
 * Checks the number of participants that a pool represents (BPMN 2.0, table 9.4). A pool without this element
 * represents at most one participant.
 */
function checkMultiplicity(context: FileContext, participant: ModdleElement, participantId: string | null): void {
  const multiplicity = getElement(participant, 'participantMultiplicity');
  if (multiplicity === undefined) return;
  const [minimum, maximum] = [multiplicity['minimum'] ?? 0, multiplicity['maximum'] ?? 1];
  if (typeof minimum === 'number' && typeof maximum === 'number' && (minimum < 0 || maximum < 1 || maximum < minimum)) {
    const message = `participantMultiplicity from ${minimum} to ${maximum}: the minimum must be 0 or more, the maximum 1 or more and not less than the minimum.`;
    context.problems.add(participantId, 'invalid_multiplicity', message);
    return;
  }
  if (maximum === 1 && (minimum === 0 || minimum === 1)) return;
  const message = 'A pool with several participants is not supported in this version.';
  context.problems.add(participantId, 'unsupported_element', message);
}
