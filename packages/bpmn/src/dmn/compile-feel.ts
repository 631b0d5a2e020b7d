import {
  compileExpression,
  compileUnaryTests,
  FeelSyntaxError,
  type FeelExpression,
  type FeelUnaryTests,
} from '@countersign/feel';
import { isFeel } from '../is-feel.js';
import { getString, type ModdleElement } from '../moddle.js';
import type { CompileContext, SourceLocation } from './compile-context.js';

/** Compiles a literal expression; returns `undefined` if it is missing or invalid, which is recorded. */
export function compileLiteral(
  context: CompileContext,
  element: ModdleElement | undefined,
  location: SourceLocation,
): FeelExpression | undefined {
  const source = readFeel(context, element, location);
  if (source?.trim() !== '') return compileSource(context, location, source, compileExpression);
  // Zeebe 8.6 also refuses an empty text, which is not valid FEEL.
  const message = `${location.label} is empty; write null for no value.`;
  context.problems.add(location.elementId, 'missing_expression', message);
  return undefined;
}

/**
 * Compiles unary tests; returns `null` if there are none or they are `-`, which every value passes (DMN 1.3, 8.3.3).
 */
export function compileTests(
  context: CompileContext,
  element: ModdleElement | undefined,
  location: SourceLocation,
): FeelUnaryTests | null | undefined {
  const source = readFeel(context, element, location);
  const isAnyValue = source?.trim() === '' || source?.trim() === '-';
  return isAnyValue ? null : compileSource(context, location, source, compileUnaryTests);
}

/** Returns the text of an expression, empty if there is none; `undefined` if it is not FEEL, which is recorded. */
function readFeel(
  { problems, expressionLanguage }: CompileContext,
  element: ModdleElement | undefined,
  { elementId, label }: SourceLocation,
): string | undefined {
  if (element === undefined) return '';
  const language = getString(element, 'expressionLanguage') ?? expressionLanguage;
  if (language === undefined || isFeel(language)) return getString(element, 'text') ?? '';
  problems.add(elementId, 'foreign_language', `${label} is in "${language}", but only FEEL is evaluated.`);
  return undefined;
}

/**
 * Compiles an expression. Records an error with the element, the location in it, and the position in the expression.
 */
function compileSource<T>(
  { problems }: CompileContext,
  { elementId, label }: SourceLocation,
  source: string | undefined,
  compile: (source: string) => T,
): T | undefined {
  if (source === undefined) return undefined;
  try {
    return compile(source);
  } catch (error) {
    if (error instanceof FeelSyntaxError) {
      const { line, column } = error.position;
      const message = `${label}: not valid FEEL at line ${line}, column ${column} of the expression: ${error.reason}.`;
      problems.add(elementId, 'invalid_expression', message);
    } else {
      const reason = error instanceof Error ? error.message : String(error);
      problems.add(elementId, 'invalid_expression', `${label}: ${reason}.`);
    }
    return undefined;
  }
}
