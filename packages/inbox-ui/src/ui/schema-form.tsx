import { Button, Stack, Text } from '@mantine/core';
import type { FieldError } from '@countersign/contract';
import { lazy, Suspense, useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { Loading } from './loading.js';
import { parseJson } from './parse-json.js';
import { findValueErrors, parsePointer, type ValueError } from './schema/find-value-errors.js';
import { FormErrorList } from './schema/form-error-list.js';
import { FormErrorBoundary } from './schema/form-error-boundary.js';
import { toFormSchema } from './schema/form-schema.js';
import { inlineSchema } from './schema/inline-schema.js';
import { JsonForm } from './schema/json-form.js';
import type { ObjectValue } from './schema/json-object.js';

const RjsfForm = lazy(async () => ({ default: (await import('./schema/rjsf-form.js')).RjsfForm }));

const NO_ERRORS: readonly ValueError[] = [];

/** Unfinished content of a form, to continue later. */
export interface SchemaDraft {
  /** The last valid JSON value. */
  readonly value: unknown;
  /** The JSON text being edited; `undefined` if the value is edited as a form. */
  readonly text: string | undefined;
}

interface SchemaFormProps {
  /** JSON Schema (2020-12) of the value, untrusted. `null` if there is none: the value is then edited as JSON. */
  readonly schema: ObjectValue | null;
  /** Name of the value for the user: "Inputs", "Answer". */
  readonly label: string;
  /** Initial value. */
  readonly initial?: unknown;
  /** Draft to continue with, instead of `initial`. */
  readonly draft?: SchemaDraft | undefined;
  /**
   * Label of the submit button. If omitted, the form has no submit button, and a button outside the form submits it
   * (with its `form` attribute set to `id`).
   */
  readonly submitLabel?: string;
  readonly id?: string;
  readonly busy?: boolean;
  /** Set if the value cannot be submitted now. The fields keep the focus, unlike with `busy`; JSON cannot be changed. */
  readonly readOnly?: boolean;
  /** Errors from the server, with pointers into the value (`/from`); shown at the fields. */
  readonly errors?: readonly FieldError[];
  /** Content next to the submit button. */
  readonly children?: ReactNode;
  /** Called with the current draft after each change. */
  onDraft?(draft: SchemaDraft): void;
  /** Called with a value that matches the schema as far as this page can check; the server validates it again. */
  onSubmit(value: unknown): void;
}

/**
 * A form made from a JSON Schema, with a JSON editor as an alternative: for schemas that a form cannot show, and for
 * users who prefer it.
 */
export function SchemaForm({
  schema,
  label,
  initial,
  draft,
  submitLabel,
  id: idProp,
  busy = false,
  readOnly = false,
  errors,
  children,
  onDraft,
  onSubmit,
}: SchemaFormProps) {
  const generatedId = useId().replace(/[^\w-]/g, '');
  const id = idProp ?? `form${generatedId}`;
  const inlinedSchema = useMemo(() => (schema === null ? undefined : inlineSchema(schema)), [schema]);
  const renderedSchema = useMemo(
    () => (inlinedSchema === undefined ? undefined : toFormSchema(inlinedSchema)),
    [inlinedSchema],
  );
  const [value, setValue] = useState(draft === undefined ? initial : draft.value);
  /** The JSON text being edited; `undefined` if the value is edited as a form. */
  const [text, setText] = useState(
    () => draft?.text ?? (renderedSchema === undefined ? formatJson(value, schema) : undefined),
  );
  /** Error message for text that is not valid JSON. */
  const [jsonError, setJsonError] = useState<string>();
  const [localErrors, setLocalErrors] = useState(NO_ERRORS);
  const [attempt, setAttempt] = useState(0);
  const [serverErrors, setServerErrors] = useState(NO_ERRORS);

  useEffect(() => {
    const valueErrors = (errors ?? []).map(({ pointer, message }) => ({ path: parsePointer(pointer), message }));
    setServerErrors(valueErrors);
    if (valueErrors.length > 0) setAttempt((count) => count + 1);
  }, [errors]);

  const change = (next: unknown, nextText?: string): void => {
    setValue(next);
    setServerErrors((valueErrors) => (valueErrors.length === 0 ? valueErrors : NO_ERRORS));
    if (attempt > 0 && inlinedSchema !== undefined) setLocalErrors(findValueErrors(inlinedSchema, next ?? {}));
    onDraft?.({ value: next, text: nextText });
  };
  const showErrors = (valueErrors: readonly ValueError[]): void => {
    setLocalErrors(valueErrors);
    setAttempt((count) => count + 1);
  };
  const submit = (next: unknown): void => {
    if (readOnly) return;
    const valueErrors = inlinedSchema === undefined ? NO_ERRORS : findValueErrors(inlinedSchema, next);
    if (valueErrors.length > 0) showErrors(valueErrors);
    else {
      setLocalErrors(NO_ERRORS);
      onSubmit(next);
    }
  };
  const changeText = (next: string): void => {
    setText(next);
    const parsed = parseJson(next);
    setJsonError(parsed.error === undefined || jsonError === undefined ? undefined : texts.forms.notJson(parsed.error));
    if (parsed.error === undefined) change(parsed.value, next);
    else onDraft?.({ value, text: next });
  };
  const submitText = (): void => {
    const parsed = parseJson(text ?? '');
    setJsonError(parsed.error && texts.forms.notJson(parsed.error));
    if (parsed.error === undefined) submit(parsed.value);
    else document.getElementById(`${id}_json`)?.focus();
  };
  const toggleJsonView = (): void => {
    const jsonFailure = text === undefined ? undefined : parseJson(text).error;
    if (jsonFailure !== undefined) {
      setJsonError(jsonFailure.inexact ? texts.forms.notJson(jsonFailure) : texts.forms.notForm);
      return;
    }
    const next = text === undefined ? formatJson(value, schema) : undefined;
    setText(next);
    onDraft?.({ value, text: next });
  };

  const buttons = (
    <>
      {submitLabel !== undefined && (
        <Button type="submit" loading={busy}>
          {submitLabel}
        </Button>
      )}
      {children}
      {renderedSchema !== undefined && (
        <Button variant="subtle" color="gray" onClick={toggleJsonView} ml="auto">
          {text === undefined ? texts.forms.asJson : texts.forms.asForm}
        </Button>
      )}
    </>
  );
  const jsonForm = (
    <JsonForm
      id={id}
      label={label}
      description={
        schema === null
          ? texts.forms.jsonFree
          : renderedSchema === undefined
            ? texts.forms.jsonOnly
            : texts.forms.jsonHint
      }
      schema={schema}
      text={text ?? formatJson(value, schema)}
      error={jsonError}
      disabled={busy && !readOnly}
      readOnly={readOnly}
      onText={changeText}
      onSubmit={submitText}
    >
      {buttons}
    </JsonForm>
  );
  return (
    <Stack role="group" aria-label={label}>
      <FormErrorList
        errors={[...serverErrors, ...localErrors]}
        attempt={attempt}
        {...(text === undefined && { onGoToField: (error: ValueError) => focusField(id, error) })}
      />
      {text !== undefined || renderedSchema === undefined ? (
        jsonForm
      ) : (
        <FormErrorBoundary fallback={jsonForm}>
          <Suspense fallback={<Loading />}>
            {Object.keys((renderedSchema['properties'] ?? {}) as object).length === 0 &&
              renderedSchema['type'] === 'object' && <Text c="dimmed">{texts.forms.nothing}</Text>}
            <RjsfForm
              id={id}
              schema={renderedSchema}
              value={value}
              disabled={busy && !readOnly}
              serverErrors={serverErrors}
              validatesWhileTyping={attempt > 0}
              onChange={(next) => change(next)}
              onSubmit={(next) => submit(omitUndefined(next))}
              onInvalid={() => showErrors(findValueErrors(renderedSchema, omitUndefined(value) ?? {}))}
            >
              {buttons}
            </RjsfForm>
          </Suspense>
        </FormErrorBoundary>
      )}
    </Stack>
  );
}

/** Removes members that are `undefined`, so that empty fields are omitted. */
function omitUndefined(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

function formatJson(value: unknown, schema: ObjectValue | null): string {
  const type = schema?.['type'];
  const emptyValue =
    type === 'array' ? [] : type === undefined || type === 'object' ? {} : type === 'string' ? '' : null;
  return JSON.stringify(value ?? emptyValue, null, 2);
}

/**
 * Focuses the field of an error. Field ids consist of the names on their path; the error may be at a value inside the
 * innermost field.
 */
function focusField(id: string, { path }: ValueError): void {
  for (let length = path.length; length > 0; length -= 1) {
    const field = document.getElementById([id, ...path.slice(0, length)].join('_'));
    if (field === null) continue;
    const focusable = field.matches('input, textarea, select, button')
      ? field
      : field.querySelector<HTMLElement>('input, textarea, select, button');
    focusable?.focus();
    return;
  }
}
