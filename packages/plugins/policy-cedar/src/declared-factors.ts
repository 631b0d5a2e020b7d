import type { Json } from '@countersign/core/plugin';
import {
  beginningOf,
  isJsonObject,
  parseExactJson,
  RISK_LEVELS,
  type RiskFactor,
  type RiskLevel,
} from '@countersign/model';

/** Limits of a declaration. */
const LIMITS = Object.freeze({ factors: 100, codeLength: 64, descriptionLength: 500, weight: 1000 });

/** Risk of an element as declared in a model. */
export interface Declared {
  readonly factors: readonly RiskFactor[];
  readonly level: RiskLevel | null;
}

export const NOTHING_DECLARED: Declared = Object.freeze({ factors: Object.freeze([]), level: null });

/** Thrown when a risk declaration is unreadable. The message is the end of a sentence for an approver. */
export class MalformedRiskError extends Error {}

const FACTORS = 'risk.factors';
const LEVEL = 'risk.level';
const CODE = /^[a-z][a-z0-9_.-]*$/i;

/** Returns whether an element declares anything that this policy reads. */
export function declaresRisk(properties: Readonly<Record<string, Json>>): boolean {
  for (const name in properties) {
    if (name.startsWith('risk.') && Object.hasOwn(properties, name)) return true;
  }
  return false;
}

/**
 * Parses `risk.factors` (a FEEL list of `{code, description, weight}`, or the same as JSON text) and `risk.level`.
 *
 * @throws {MalformedRiskError} any part is unreadable: a wrongly declared risk must not count as none
 */
export function readDeclared(properties: Readonly<Record<string, Json>>): Declared {
  for (const name of Object.keys(properties)) {
    if (name.startsWith('risk.') && name !== FACTORS && name !== LEVEL) {
      throw new MalformedRiskError(
        `the property "${name}" is unknown; known properties are "${FACTORS}" and "${LEVEL}"`,
      );
    }
  }
  return {
    factors: Object.hasOwn(properties, FACTORS) ? readFactors(properties[FACTORS] ?? null) : [],
    level: Object.hasOwn(properties, LEVEL) ? readLevel(properties[LEVEL] ?? null) : null,
  };
}

function readLevel(value: Json): RiskLevel {
  const level = RISK_LEVELS.find((candidate) => candidate === value);
  if (level !== undefined) return level;
  throw new MalformedRiskError(`"${LEVEL}" must be one of ${RISK_LEVELS.join(', ')}, not ${shown(value)}`);
}

function readFactors(value: Json): readonly RiskFactor[] {
  const list = typeof value === 'string' ? parse(value) : value;
  if (!Array.isArray(list)) throw new MalformedRiskError(`"${FACTORS}" must be a list, not ${shown(list)}`);
  if (list.length > LIMITS.factors) throw new MalformedRiskError(`"${FACTORS}" has more than ${LIMITS.factors} items`);
  return list.map((item, index) => readFactor(item, `item ${index + 1} of "${FACTORS}"`));
}

function parse(text: string): Json {
  try {
    return parseExactJson(text) as Json;
  } catch {
    throw new MalformedRiskError(`"${FACTORS}" must be JSON`);
  }
}

/** Copies the three fields one by one, so that nothing else of an untrusted object enters a decision. */
function readFactor(item: Json, where: string): RiskFactor {
  if (!isJsonObject(item)) throw new MalformedRiskError(`${where} is not an object`);
  const code = own(item, 'code');
  const description = own(item, 'description');
  const weight = own(item, 'weight');
  if (typeof code !== 'string' || code.length > LIMITS.codeLength || !CODE.test(code)) {
    throw new MalformedRiskError(`the code of ${where} must be a short name, not ${shown(code)}`);
  }
  if (typeof description !== 'string' || description.trim() === '' || description.length > LIMITS.descriptionLength) {
    throw new MalformedRiskError(
      `the description of ${where} must be a text of 1 to ${LIMITS.descriptionLength} characters`,
    );
  }
  if (typeof weight !== 'number' || !(weight >= 0 && weight <= LIMITS.weight)) {
    throw new MalformedRiskError(
      `the weight of ${where} must be a number from 0 to ${LIMITS.weight}, not ${shown(weight)}`,
    );
  }
  return { code, description, weight };
}

function own(object: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function shown(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  return beginningOf(JSON.stringify(value), 80);
}
