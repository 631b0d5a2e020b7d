import {
  ErrorSchemaBuilder,
  toErrorList,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils';
import { findValueErrors, type ValueError } from './find-value-errors.js';
import { isObject } from './json-object.js';

/**
 * Validator for the form library, whose own validator compiles the schema to code, which the content security policy
 * forbids.
 */
export const rjsfValidator: ValidatorType = {
  validateFormData(formData: unknown, schema: RJSFSchema): ValidationData<unknown> {
    const { ErrorSchema: errorSchema } = buildErrorSchema(
      isObject(schema) ? findValueErrors(schema, formData ?? getEmptyValue(schema)) : [],
    );
    return { errorSchema, errors: toErrorList(errorSchema) };
  },
  isValid(schema: RJSFSchema, formData: unknown): boolean {
    // Form schemas have no references (`inlineSchema`), so each part can be checked separately.
    return !isObject(schema) || findValueErrors(schema, formData ?? getEmptyValue(schema)).length === 0;
  },
  rawValidation<Result>(schema: RJSFSchema, formData?: unknown) {
    return { errors: this.validateFormData(formData, schema).errors as (RJSFValidationError & Result)[] };
  },
};

/** Converts errors to the tree that the form library needs. */
export function buildErrorSchema(valueErrors: readonly ValueError[]): ErrorSchemaBuilder {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of valueErrors) builder.addErrors(message, [...path]);
  return builder;
}

function getEmptyValue(schema: RJSFSchema): unknown {
  return schema.type === 'object' ? {} : schema.type === 'array' ? [] : null;
}
