import {
  compileExpression,
  compileUnaryTests,
  FeelSyntaxError,
  type FeelExpression,
  type FeelUnaryTests,
} from '@countersign/feel';
import { textOf, type ModdleElement } from '../moddle.js';
import type { CompileContext, Place } from './compile-context.js';

/** The name of FEEL and its namespaces in DMN 1.1 to 1.5, which models keep when they are converted. */
const FEEL_LANGUAGES: ReadonlySet<string> = new Set([
  'feel',
  'http://www.omg.org/spec/feel/20140401',
  'http://www.omg.org/spec/dmn/20180521/feel/',
  'https://www.omg.org/spec/dmn/20191111/feel/',
  'https://www.omg.org/spec/dmn/20211108/feel/',
  'https://www.omg.org/spec/dmn/20230324/feel/',
]);

export function isFeel(language: string): boolean {
  return FEEL_LANGUAGES.has(language.toLowerCase());
}

/** Compiles a literal expression; returns `undefined` if it is missing or invalid, which is recorded. */
export function compileLiteral(
  context: CompileContext,
  element: ModdleElement | undefined,
  place: Place,
): FeelExpression | undefined {
  const source = readFeel(context, element, place);
  if (source?.trim() !== '') return compileSource(context, place, source, compileExpression);
  // Zeebe 8.6 refuses it too: an empty text is not FEEL.
  const message = `${place.words} is empty; write null for no value.`;
  context.problems.add(place.elementId, 'missing_expression', message);
  return undefined;
}

/**
 * Compiles unary tests; returns `null` if there are none or they are `-`, which every value passes (DMN 1.3, 8.3.3).
 */
export function compileTests(
  context: CompileContext,
  element: ModdleElement | undefined,
  place: Place,
): FeelUnaryTests | null | undefined {
  const source = readFeel(context, element, place);
  const anything = source?.trim() === '' || source?.trim() === '-';
  return anything ? null : compileSource(context, place, source, compileUnaryTests);
}

/** Returns the text of an expression, empty if there is none; `undefined` if it is not FEEL, which is recorded. */
function readFeel(
  { problems, expressionLanguage }: CompileContext,
  element: ModdleElement | undefined,
  { elementId, words }: Place,
): string | undefined {
  if (element === undefined) return '';
  const language = textOf(element, 'expressionLanguage') ?? expressionLanguage;
  if (language === undefined || isFeel(language)) return textOf(element, 'text') ?? '';
  problems.add(elementId, 'foreign_language', `${words} is in "${language}", but only FEEL is evaluated.`);
  return undefined;
}

/**
 * Compiles an expression. Records an error with the element, the location in it, and the position in the expression.
 */
function compileSource<T>(
  { problems }: CompileContext,
  { elementId, words }: Place,
  source: string | undefined,
  compile: (source: string) => T,
): T | undefined {
  if (source === undefined) return undefined;
  try {
    return compile(source);
  } catch (error) {
    if (error instanceof FeelSyntaxError) {
      const { line, column } = error.position;
      const message = `${words}: not valid FEEL at line ${line}, column ${column} of the expression: ${error.reason}.`;
      problems.add(elementId, 'invalid_expression', message);
    } else {
      const reason = error instanceof Error ? error.message : String(error);
      problems.add(elementId, 'invalid_expression', `${words}: ${reason}.`);
    }
    return undefined;
  }
}
