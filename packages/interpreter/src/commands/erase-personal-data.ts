import {
  type ElementInstance,
  type ErasePersonalDataCommand,
  type JsonObject,
  type PersonalDataScope,
  computePersonDigest,
  toRecordedActor,
  type RunState,
  isSaltOfPerson,
  getSaltKey,
} from '@countersign/model';
import { eraseDeciders } from '@countersign/model/evidence';
import type { Execution } from '../execution.js';

/**
 * Erases personal data from the state of an ended run and emits the event. The same commit erases the private parts
 * of earlier events and the run's rows.
 */
export function* erasePersonalData(execution: Execution, command: ErasePersonalDataCommand): Generator<void, void> {
  const { actor, reason, scope, personId, expectedSeq, erasure, artifactNames } = command;
  const decisions = new Set(command.decisions);
  if (execution.state.seq !== expectedSeq)
    return execution.refuse('conflict', 'The run has changed since its personal data was read. Try again.');
  const { personSalts = {} } = execution.state;
  const person = personId === null ? undefined : ({ id: personId, type: 'user' } as const);
  const salt = person === undefined ? undefined : new Map(Object.entries(personSalts)).get(getSaltKey(person));
  const digest = person === undefined || salt === undefined ? null : computePersonDigest(person, salt);
  for (const instance of execution.getInstances()) {
    execution.put(eraseInstance(instance, scope, decisions));
    yield;
  }
  execution.update(eraseRunFields(execution.state, scope, personId, artifactNames));
  execution.emit(
    'personal_data.erased',
    null,
    { scope: scope.kind, personDigest: digest, events: [...erasure.events], auditEvents: [...erasure.auditEvents] },
    { actor: { ...toRecordedActor(actor) }, reason },
  );
  execution.update({ erasedAt: execution.state.seq });
  execution.request({ type: 'personal_data.erase', erasure });
}

/**
 * Erases personal data from an instance. Data that only an active run needs (agents, compensations, loop items) is
 * removed completely.
 */
function eraseInstance(
  instance: ElementInstance,
  scope: PersonalDataScope,
  decisions: ReadonlySet<string>,
): ElementInstance {
  const { agent: _agent, compensations: _done, compensating: _queue, resultTaints: _taints, ...keptFields } = instance;
  const { variables, incident, loop } = keptFields;
  return {
    ...keptFields,
    ...(variables === undefined
      ? {}
      : { variables: eraseDeciders(scope.eraseJson(variables), decisions) as JsonObject }),
    ...(loop === undefined ? {} : { loop: { ...loop, items: null } }),
    ...(incident === undefined
      ? {}
      : {
          incident: {
            code: incident.code,
            message: scope.eraseText(incident.message),
            at: incident.at,
            phase: incident.phase,
          },
        }),
  };
}

function eraseRunFields(
  state: RunState,
  scope: PersonalDataScope,
  personId: string | null,
  artifactNames: ErasePersonalDataCommand['artifactNames'],
): Partial<RunState> {
  const { businessKey, startKey, error, deployers, separatedDeciders, personSalts } = state;
  const isWholeRun = personId === null;
  const keepRemainingPeople = (ids: readonly string[]): string[] =>
    isWholeRun ? [] : ids.filter((id) => scope.eraseId(id) === id);
  const artifacts = Object.entries(state.artifacts).map(([name, { by, earlier, ...artifact }]) => [
    Object.hasOwn(artifactNames, name) ? artifactNames[name] : name,
    { ...artifact, by: scope.eraseId(by), ...(earlier === undefined ? {} : { earlier: keepRemainingPeople(earlier) }) },
  ]);
  return {
    startedBy: scope.eraseId(state.startedBy),
    businessKey: businessKey === null || isWholeRun ? null : scope.eraseText(businessKey),
    ...(startKey === undefined ? {} : { startKey: scope.eraseText(startKey) }),
    error: error === null ? null : { ...error, message: scope.eraseText(error.message) },
    artifacts: Object.fromEntries(artifacts) as RunState['artifacts'],
    editors: keepRemainingPeople(state.editors),
    deciders: keepRemainingPeople(state.deciders),
    ...(deployers === undefined ? {} : { deployers: keepRemainingPeople(deployers) }),
    ...(separatedDeciders === undefined ? {} : { separatedDeciders: keepRemainingPeople(separatedDeciders) }),
    ...(personSalts === undefined
      ? {}
      : {
          personSalts: Object.fromEntries(
            Object.entries(personSalts).filter(([key]) => !isWholeRun && !isSaltOfPerson(key, personId, scope)),
          ),
        }),
  };
}
