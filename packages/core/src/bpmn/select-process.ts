import type { CompileContext } from './compile-context.js';
import { checkProperties } from './element-rules.js';
import { elementsOf, flagOf, idOf, setProperties, tagOf, type ModdleElement } from './moddle.js';

/** Root elements that define something for others, or only for people. */
const HARMLESS: ReadonlySet<string> = new Set([
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
  // Definitions that events may share; an event that does is refused by itself.
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

/** The one process of a file that is executed. The rest of the file is judged. */
export function selectProcess(context: CompileContext, definitions: ModdleElement): ModdleElement | undefined {
  const { problems } = context;
  for (const extension of elementsOf(definitions, 'extensions')) {
    if (flagOf(extension, 'mustUnderstand') !== true) continue;
    problems.add(
      null,
      'unknown_extension',
      'The model names an extension that must be understood (mustUnderstand) and is not.',
    );
  }
  const processes: ModdleElement[] = [];
  for (const element of elementsOf(definitions, 'rootElements')) {
    const type = tagOf(element);
    if (type === 'process') processes.push(element);
    else if (type === 'collaboration') checkCollaboration(context, element);
    else if (!HARMLESS.has(type)) {
      problems.add(idOf(element), 'unsupported_element', `A ${type} is not executed by this version.`);
    }
  }
  const executable = processes.filter((process) => flagOf(process, 'isExecutable') === true);
  const [chosen] = executable;
  if (chosen === undefined) {
    const message = 'The file has no executable process (isExecutable="true").';
    problems.add(processes[0] === undefined ? null : idOf(processes[0]), 'no_executable_process', message);
  }
  for (const process of processes) {
    if (process === chosen || (chosen === undefined && process === processes[0])) continue;
    if (executable.includes(process)) {
      const message =
        'A file with several executable processes is not executed by this version; deploy one file for each.';
      problems.add(idOf(process), 'several_processes', message);
    } else if (elementsOf(process, 'flowElements').length > 0) {
      const message = 'This process is not executable, but has content; an empty one may stand for a black-box pool.';
      problems.add(idOf(process), 'process_not_executable', message);
    }
  }
  return chosen;
}

/**
 * Pools and message flows show who talks to whom; messages are correlated by name and key (BPMN 2.0, 9.2). Conversations
 * and choreographies would say more than that.
 */
function checkCollaboration(context: CompileContext, collaboration: ModdleElement): void {
  const id = idOf(collaboration);
  checkProperties(context, collaboration, id, ['isClosed', 'participants', 'messageFlows', 'artifacts']);
  for (const participant of elementsOf(collaboration, 'participants')) {
    const participantId = idOf(participant) ?? id;
    checkProperties(context, participant, participantId, [
      'processRef',
      'interfaceRef',
      'endPointRefs',
      'participantMultiplicity',
    ]);
    if (setProperties(participant).includes('participantMultiplicity')) {
      context.problems.add(
        participantId,
        'unsupported_element',
        'A pool with several participants is not executed by this version.',
      );
    }
  }
}
