import type { Json, JsonObject } from '@countersign/core/plugin';
import { byScope } from '../scopes.js';
import type { ObservedRun } from '../side.js';
import type { ZeebeRecord } from './record-stream.js';

/** A job or a user task that waits to be done. */
export interface OpenWork {
  readonly key: number;
  readonly elementId: string;
  readonly type: string;
  /** Counted from 1 among the jobs of its element. */
  readonly turn: number;
  /** Attempts that are left, of a job. */
  readonly retries: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface OpenIncident {
  readonly key: number;
  readonly instanceKey: number;
  /** `undefined`: it is not about a job. */
  readonly jobKey: number | undefined;
}

interface OpenTimer {
  readonly key: number;
  readonly elementId: string;
  readonly dueAt: number;
  /** Whether it starts instances. */
  readonly starts: boolean;
}

/** What Zeebe calls the element of a job from then on that has thrown an error that nothing catches. */
const NOT_CAUGHT = 'NO_CATCH_EVENT_FOUND';
const NOTHING = { key: 0, value: {} as ZeebeRecord['value'] };

const NOT_STEPS: ReadonlySet<unknown> = new Set(['PROCESS', 'SEQUENCE_FLOW']);

/** What the log says of the instances of some definitions. */
export class CaseRecords {
  private readonly events: readonly ZeebeRecord[];

  constructor(records: readonly ZeebeRecord[], definitions: ReadonlySet<number>) {
    this.events = records.filter(({ recordType, value }) => recordType === 'EVENT' && definitions.has(Number(value['processDefinitionKey'])));
  }

  jobs(): OpenWork[] {
    const resolved = this.events.filter(({ valueType, intent }) => valueType === 'INCIDENT' && intent === 'RESOLVED');
    return this.openWork('JOB', (records) => {
      const last = records.findLast(({ intent }) => intent === 'ERROR_THROWN' || intent === 'FAILED');
      const isOver = records.some(({ intent }) => intent === 'COMPLETED' || intent === 'CANCELED');
      // What has failed is tried again as long as attempts are left, or when its incident is resolved.
      const isOpen = last === undefined || (last.intent === 'FAILED' && Number(last.value['retries']) > 0);
      return !isOver && (isOpen || resolved.some(({ position, value }) => value['jobKey'] === last.key && position > last.position));
    });
  }

  userTasks(): OpenWork[] {
    return this.openWork('USER_TASK', (records) => !records.some(({ intent }) => intent === 'COMPLETED' || intent === 'CANCELED'));
  }

  /** The oldest first. */
  incidents(): OpenIncident[] {
    return this.open('INCIDENT', ['RESOLVED']).map(({ key, value }) => ({
      key,
      instanceKey: Number(value['processInstanceKey']),
      jobKey: Number(value['jobKey']) === -1 ? undefined : Number(value['jobKey']),
    }));
  }

  /** The next one first; of those at one time, the one that was set first. */
  timers(): OpenTimer[] {
    return this.open('TIMER', ['TRIGGERED', 'CANCELED'])
      .map(({ key, value }) => ({ key, elementId: String(value['targetElementId']), dueAt: Number(value['dueDate']), starts: Number(value['processInstanceKey']) === -1 }))
      .sort((a, b) => a.dueAt - b.dueAt || a.key - b.key);
  }

  /** Keys of the instances that have not ended, the oldest first; mostly not those that another one calls. */
  live(processId?: string, which: 'called too' | 'not called' = 'not called'): number[] {
    const ended = new Set(this.events.filter(isEndOfProcess).map(({ key }) => key));
    return this.instances()
      .filter(({ key, value }) => !ended.has(key) && (which === 'called too' || Number(value['parentProcessInstanceKey']) === -1) && (processId === undefined || value['bpmnProcessId'] === processId))
      .map(({ key }) => key);
  }

  observe(scopes: ReadonlyMap<string, string>): ObservedRun[] {
    const incidents = this.open('INCIDENT', ['RESOLVED']);
    // An incident itself names no element where nothing catches an error.
    const elements = new Map(this.events.filter(({ valueType }) => valueType === 'PROCESS_INSTANCE').map((each) => [each.key, String(each.value['elementId'])]));
    return this.instances().map(({ key, value }) => {
      const own = this.events.filter((each) => each.value['processInstanceKey'] === key);
      const failed = incidents.filter((each) => each.value['processInstanceKey'] === key).map((each) => elements.get(Number(each.value['elementInstanceKey'])) ?? '?');
      const end = own.find(isEndOfProcess)?.intent;
      return {
        processId: String(value['bpmnProcessId']),
        status: end === 'ELEMENT_COMPLETED' ? 'completed' : end !== undefined ? 'ended otherwise' : failed.length > 0 ? 'incident' : 'waits',
        completed: byScope(stepsOf(own, 'ELEMENT_COMPLETED'), scopes),
        terminated: stepsOf(own, 'ELEMENT_TERMINATED').map(({ elementId, isBody }) => (isBody ? `${elementId}[]` : elementId)),
        incidents: failed,
        variables: variablesOf(own, key),
      };
    });
  }

  private instances(): ZeebeRecord[] {
    return this.events.filter(({ valueType, intent, value }) => valueType === 'PROCESS_INSTANCE' && intent === 'ELEMENT_ACTIVATING' && value['bpmnElementType'] === 'PROCESS');
  }

  private openWork(valueType: string, isOpen: (records: readonly ZeebeRecord[]) => boolean): OpenWork[] {
    const turns = new Map<string, number>();
    return this.byKey(valueType).flatMap((records) => {
      const [{ key, value: created } = NOTHING, ...later] = records;
      const { value } = later.findLast((record) => record.value['elementId'] !== NOT_CAUGHT) ?? { value: created };
      const before = String(created['elementId']);
      const turn = (turns.get(before) ?? 0) + 1;
      turns.set(before, turn);
      const headers = (value['customHeaders'] ?? {}) as Record<string, string>;
      const work = { key, elementId: String(value['elementId']), type: String(value['type'] ?? ''), turn, retries: Number(value['retries'] ?? 0), headers };
      return isOpen(records) ? [work] : [];
    });
  }

  /** As they are said to be last, in the order in which they were made. */
  private open(valueType: string, ends: readonly string[]): ZeebeRecord[] {
    return this.byKey(valueType).flatMap((records) => (records.some(({ intent }) => ends.includes(intent)) ? [] : records.slice(-1)));
  }

  /** What the log says of each thing of a kind, in the order in which they were made. */
  private byKey(valueType: string): ZeebeRecord[][] {
    const found = new Map<number, ZeebeRecord[]>();
    for (const record of this.events) {
      if (record.valueType !== valueType) continue;
      const known = found.get(record.key);
      if (known !== undefined) known.push(record);
      else if (record.intent === 'CREATED') found.set(record.key, [record]);
    }
    return [...found.values()];
  }
}

function isEndOfProcess({ valueType, intent, value }: ZeebeRecord): boolean {
  return valueType === 'PROCESS_INSTANCE' && value['bpmnElementType'] === 'PROCESS' && (intent === 'ELEMENT_COMPLETED' || intent === 'ELEMENT_TERMINATED');
}

function stepsOf(own: readonly ZeebeRecord[], wanted: string): { elementId: string; isBody: boolean }[] {
  return own
    .filter(({ valueType, intent, value }) => valueType === 'PROCESS_INSTANCE' && intent === wanted && isStep(value))
    .map(({ value }) => ({ elementId: String(value['elementId']), isBody: value['bpmnElementType'] === 'MULTI_INSTANCE_BODY' }));
}

/** The boundary event of a compensation has no token: it only says what the handler is (BPMN 2.0, 13.5.5). */
function isStep({ bpmnElementType, bpmnEventType }: ZeebeRecord['value']): boolean {
  return !NOT_STEPS.has(bpmnElementType) && !(bpmnElementType === 'BOUNDARY_EVENT' && bpmnEventType === 'COMPENSATION');
}

function variablesOf(own: readonly ZeebeRecord[], scope: number): JsonObject {
  const found: Record<string, Json> = {};
  for (const { valueType, intent, value } of own) {
    if (valueType === 'VARIABLE' && intent !== 'MIGRATED' && value['scopeKey'] === scope) found[String(value['name'])] = JSON.parse(String(value['value'])) as Json;
  }
  return found;
}
