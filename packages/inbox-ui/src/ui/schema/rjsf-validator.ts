import {
  ErrorSchemaBuilder,
  toErrorList,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils';
import { checkValue, type ValueFault } from './check-value.js';
import { isObject } from './json-object.js';

/** Checks forms. The one that comes with the form library compiles the schema to code, which the policy of the page forbids. */
export const rjsfValidator: ValidatorType = {
  validateFormData(formData: unknown, schema: RJSFSchema): ValidationData<unknown> {
    const { ErrorSchema: errorSchema } = errorsOf(
      isObject(schema) ? checkValue(schema, formData ?? emptyOf(schema)) : [],
    );
    return { errorSchema, errors: toErrorList(errorSchema) };
  },
  isValid(schema: RJSFSchema, formData: unknown): boolean {
    // The schema of a form has no references (`inlineSchema`), so that each part of it stands for itself.
    return !isObject(schema) || checkValue(schema, formData ?? emptyOf(schema)).length === 0;
  },
  rawValidation<Result>(schema: RJSFSchema, formData?: unknown) {
    return { errors: this.validateFormData(formData, schema).errors as (RJSFValidationError & Result)[] };
  },
};

/** Faults as the form library wants them: a tree. */
export function errorsOf(faults: readonly ValueFault[]): ErrorSchemaBuilder {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of faults) builder.addErrors(message, [...path]);
  return builder;
}

function emptyOf(schema: RJSFSchema): unknown {
  return schema.type === 'object' ? {} : schema.type === 'array' ? [] : null;
}
