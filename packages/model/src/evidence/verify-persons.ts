import { isJsonObject, type Json, type JsonObject } from '../json.js';
import { findPeopleInEvent, findPeopleInAudit, computePersonDigest, type NamedPeople } from '../person-digest.js';
import type { ReportProblem } from './integrity-problem.js';
import { objectOrEmpty, stringOr } from './pack-members.js';

/** Checks that the people that an event names match their hashed digests. Older events have no such digests. */
export function verifyPersons(event: JsonObject, pointer: string, report: ReportProblem): void {
  const { data, private: privatePart } = event;
  if (!isJsonObject(data) || !isJsonObject(data['personDigests']) || !isJsonObject(privatePart)) return;
  comparePersons(
    data['personDigests'],
    findPeopleInEvent(stringOr(event['type'], ''), privatePart),
    objectOrEmpty(privatePart['personSalts']),
    `${pointer}/private`,
    report,
  );
}

/** Checks the people of an audit event, which has the digests in its target and the salts in its private data. */
export function verifyAuditPersons(entry: JsonObject, pointer: string, report: ReportProblem): void {
  const { target, private: privatePart } = entry;
  if (!isJsonObject(target) || !isJsonObject(target['personDigests']) || !isJsonObject(privatePart)) return;
  const data = objectOrEmpty(privatePart['data']);
  comparePersons(
    target['personDigests'],
    findPeopleInAudit(stringOr(entry['action'], ''), privatePart['actor'], data),
    objectOrEmpty(data['personSalts']),
    `${pointer}/private`,
    report,
  );
}

function comparePersons(
  digests: JsonObject,
  people: NamedPeople,
  salts: JsonObject,
  pointer: string,
  report: ReportProblem,
): void {
  for (const member of new Set([...Object.keys(digests), ...Object.keys(people)])) {
    if (!matchesDigest(people[member], salts[member], digests[member]))
      report('person_differs', `${pointer}/${member}`, 'This person does not match the digest in the event.');
  }
}

function matchesDigest(
  named: NamedPeople[string] | undefined,
  salts: Json | undefined,
  digests: Json | undefined,
): boolean {
  if (named === undefined) return false;
  if ('id' in named) return typeof salts === 'string' && computePersonDigest(named, salts) === digests;
  if (!Array.isArray(salts) || !Array.isArray(digests) || digests.length !== named.length) return false;
  return named.every((person, index) => {
    const salt = salts[index];
    return typeof salt === 'string' && computePersonDigest(person, salt) === digests[index];
  });
}
