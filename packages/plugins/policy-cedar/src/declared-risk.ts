import type { Json } from '@countersign/core/plugin';
import {
  truncateText,
  isJsonObject,
  parseExactJson,
  RISK_LEVELS,
  type RiskFactor,
  type RiskLevel,
} from '@countersign/model';

/** Limits of a declaration. */
const LIMITS = Object.freeze({ factors: 100, codeLength: 64, descriptionLength: 500, weight: 1000 });

/** Risk of an element as declared in the BPMN model. */
export interface DeclaredRisk {
  readonly factors: readonly RiskFactor[];
  readonly level: RiskLevel | null;
}

export const NO_DECLARED_RISK: DeclaredRisk = Object.freeze({ factors: Object.freeze([]), level: null });

/**
 * Thrown when a risk declaration or the task header `tools` is unreadable. The message completes a sentence for an
 * approver.
 */
export class MalformedDeclarationError extends Error {}

const FACTORS_PROPERTY = 'risk.factors';
const LEVEL_PROPERTY = 'risk.level';
const CODE_PATTERN = /^[a-z][a-z0-9_.-]*$/i;

/** Returns whether an element has a property whose name starts with `risk.`. */
export function declaresRisk(properties: Readonly<Record<string, Json>>): boolean {
  for (const name in properties) {
    if (name.startsWith('risk.') && Object.hasOwn(properties, name)) return true;
  }
  return false;
}

/**
 * Parses `risk.factors` (a FEEL list of `{code, description, weight}`, or the same as JSON text) and `risk.level`.
 *
 * @throws {MalformedDeclarationError} if any part is unreadable, because a malformed declaration must not count as no
 *   risk
 */
export function readDeclaredRisk(properties: Readonly<Record<string, Json>>): DeclaredRisk {
  for (const name of Object.keys(properties)) {
    if (name.startsWith('risk.') && name !== FACTORS_PROPERTY && name !== LEVEL_PROPERTY) {
      throw new MalformedDeclarationError(
        `the property "${name}" is unknown; known properties are "${FACTORS_PROPERTY}" and "${LEVEL_PROPERTY}"`,
      );
    }
  }
  return {
    factors: Object.hasOwn(properties, FACTORS_PROPERTY) ? readFactors(properties[FACTORS_PROPERTY] ?? null) : [],
    level: Object.hasOwn(properties, LEVEL_PROPERTY) ? readLevel(properties[LEVEL_PROPERTY] ?? null) : null,
  };
}

function readLevel(value: Json): RiskLevel {
  const level = RISK_LEVELS.find((candidate) => candidate === value);
  if (level !== undefined) return level;
  throw new MalformedDeclarationError(
    `"${LEVEL_PROPERTY}" must be one of ${RISK_LEVELS.join(', ')}, not ${formatValue(value)}`,
  );
}

function readFactors(value: Json): readonly RiskFactor[] {
  const list = typeof value === 'string' ? parse(value) : value;
  if (!Array.isArray(list))
    throw new MalformedDeclarationError(`"${FACTORS_PROPERTY}" must be a list, not ${formatValue(list)}`);
  if (list.length > LIMITS.factors)
    throw new MalformedDeclarationError(`"${FACTORS_PROPERTY}" has more than ${LIMITS.factors} items`);
  return list.map((item, index) => readFactor(item, `item ${index + 1} of "${FACTORS_PROPERTY}"`));
}

function parse(text: string): Json {
  try {
    return parseExactJson(text) as Json;
  } catch {
    throw new MalformedDeclarationError(`"${FACTORS_PROPERTY}" must be JSON`);
  }
}

/** Copies the three fields one by one, so that nothing else of an untrusted object enters a decision. */
function readFactor(item: Json, location: string): RiskFactor {
  if (!isJsonObject(item)) throw new MalformedDeclarationError(`${location} is not an object`);
  const code = getOwn(item, 'code');
  const description = getOwn(item, 'description');
  const weight = getOwn(item, 'weight');
  if (typeof code !== 'string' || code.length > LIMITS.codeLength || !CODE_PATTERN.test(code)) {
    throw new MalformedDeclarationError(`the code of ${location} must be a short name, not ${formatValue(code)}`);
  }
  if (typeof description !== 'string' || description.trim() === '' || description.length > LIMITS.descriptionLength) {
    throw new MalformedDeclarationError(
      `the description of ${location} must be a text of 1 to ${LIMITS.descriptionLength} characters`,
    );
  }
  if (typeof weight !== 'number' || !(weight >= 0 && weight <= LIMITS.weight)) {
    throw new MalformedDeclarationError(
      `the weight of ${location} must be a number from 0 to ${LIMITS.weight}, not ${formatValue(weight)}`,
    );
  }
  return { code, description, weight };
}

function getOwn(object: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function formatValue(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  return truncateText(JSON.stringify(value), 80);
}
