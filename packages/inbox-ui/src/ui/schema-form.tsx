import { Button, Stack, Text } from '@mantine/core';
import type { FieldError } from '@countersign/contract';
import { lazy, Suspense, useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { Loading } from './loading.js';
import { readJson } from './read-json.js';
import { checkValue, pathOf, type ValueFault } from './schema/check-value.js';
import { FaultList } from './schema/fault-list.js';
import { FormBoundary } from './schema/form-boundary.js';
import { formSchema } from './schema/form-schema.js';
import { inlineSchema } from './schema/inline-schema.js';
import { JsonForm } from './schema/json-form.js';
import type { Obj } from './schema/json-object.js';

const RjsfForm = lazy(async () => ({ default: (await import('./schema/rjsf-form.js')).RjsfForm }));

const NONE: readonly ValueFault[] = [];

/** Unfinished content of a form, to continue later. */
export interface SchemaDraft {
  /** The last valid JSON value. */
  readonly value: unknown;
  /** The JSON text being edited; `undefined` if the value is edited as a form. */
  readonly text: string | undefined;
}

interface SchemaFormProps {
  /** JSON Schema (2020-12) of the value, untrusted. `null` if there is none: the value is then edited as JSON. */
  readonly schema: Obj | null;
  /** Name of the value for the user: "Inputs", "Answer". */
  readonly label: string;
  /** Initial value. */
  readonly initial?: unknown;
  /** Draft to continue with instead. */
  readonly draft?: SchemaDraft | undefined;
  /**
   * Label of the submit button; if omitted, there is none and an outside button submits by its `form` attribute and
   * `id`.
   */
  readonly submitLabel?: string;
  readonly id?: string;
  readonly busy?: boolean;
  /** Errors from the server, with pointers into the value (`/from`); shown at the fields. */
  readonly errors?: readonly FieldError[];
  /** Content next to the submit button. */
  readonly children?: ReactNode;
  /** Called with each state of the content. */
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
  id: givenId,
  busy = false,
  errors,
  children,
  onDraft,
  onSubmit,
}: SchemaFormProps) {
  const ownId = useId().replace(/[^\w-]/g, '');
  const id = givenId ?? `form${ownId}`;
  const inlined = useMemo(() => (schema === null ? undefined : inlineSchema(schema)), [schema]);
  const shown = useMemo(() => (inlined === undefined ? undefined : formSchema(inlined)), [inlined]);
  const [value, setValue] = useState(draft === undefined ? initial : draft.value);
  /** The JSON text being edited; `undefined` if the value is edited as a form. */
  const [text, setText] = useState(() => draft?.text ?? (shown === undefined ? written(value, schema) : undefined));
  /** Why the current text is not valid. */
  const [notJson, setNotJson] = useState<string>();
  const [own, setOwn] = useState(NONE);
  const [attempt, setAttempt] = useState(0);
  const [fromServer, setFromServer] = useState(NONE);

  useEffect(() => {
    const faults = (errors ?? []).map(({ pointer, message }) => ({ path: pathOf(pointer), message }));
    setFromServer(faults);
    if (faults.length > 0) setAttempt((count) => count + 1);
  }, [errors]);

  const change = (next: unknown, nextText?: string): void => {
    setValue(next);
    setFromServer((faults) => (faults.length === 0 ? faults : NONE));
    if (attempt > 0 && inlined !== undefined) setOwn(checkValue(inlined, next ?? {}));
    onDraft?.({ value: next, text: nextText });
  };
  const refuse = (faults: readonly ValueFault[]): void => {
    setOwn(faults);
    setAttempt((count) => count + 1);
  };
  const submit = (next: unknown): void => {
    const faults = inlined === undefined ? NONE : checkValue(inlined, next);
    if (faults.length > 0) refuse(faults);
    else {
      setOwn(NONE);
      onSubmit(next);
    }
  };
  const write = (next: string): void => {
    setText(next);
    const parsed = readJson(next);
    setNotJson(parsed.fault === undefined || notJson === undefined ? undefined : texts.forms.notJson(parsed.fault));
    if (parsed.fault === undefined) change(parsed.value, next);
    else onDraft?.({ value, text: next });
  };
  const submitText = (): void => {
    const parsed = readJson(text ?? '');
    setNotJson(parsed.fault && texts.forms.notJson(parsed.fault));
    if (parsed.fault === undefined) submit(parsed.value);
    else document.getElementById(`${id}_json`)?.focus();
  };
  const switchOver = (): void => {
    const fault = text === undefined ? undefined : readJson(text).fault;
    if (fault !== undefined) {
      setNotJson(fault.inexact ? texts.forms.notJson(fault) : texts.forms.notForm);
      return;
    }
    const next = text === undefined ? written(value, schema) : undefined;
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
      {shown !== undefined && (
        <Button variant="subtle" color="gray" onClick={switchOver} ml="auto">
          {text === undefined ? texts.forms.asJson : texts.forms.asForm}
        </Button>
      )}
    </>
  );
  const asJson = (
    <JsonForm
      id={id}
      label={label}
      description={
        schema === null ? texts.forms.jsonFree : shown === undefined ? texts.forms.jsonOnly : texts.forms.jsonHint
      }
      schema={schema}
      text={text ?? written(value, schema)}
      error={notJson}
      disabled={busy}
      onText={write}
      onSubmit={submitText}
    >
      {buttons}
    </JsonForm>
  );
  return (
    <Stack role="group" aria-label={label}>
      <FaultList
        faults={[...fromServer, ...own]}
        attempt={attempt}
        {...(text === undefined && { onGo: (fault: ValueFault) => goTo(id, fault) })}
      />
      {text !== undefined || shown === undefined ? (
        asJson
      ) : (
        <FormBoundary fallback={asJson}>
          <Suspense fallback={<Loading />}>
            {Object.keys((shown['properties'] ?? {}) as object).length === 0 && shown['type'] === 'object' && (
              <Text c="dimmed">{texts.forms.nothing}</Text>
            )}
            <RjsfForm
              id={id}
              schema={shown}
              value={value}
              disabled={busy}
              faults={fromServer}
              live={attempt > 0}
              onChange={(next) => change(next)}
              onSubmit={(next) => submit(plain(next))}
              onRefused={() => refuse(checkValue(shown, plain(value) ?? {}))}
            >
              {buttons}
            </RjsfForm>
          </Suspense>
        </FormBoundary>
      )}
    </Stack>
  );
}

/** Removes members that are `undefined`, so that empty fields are omitted. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

function written(value: unknown, schema: Obj | null): string {
  const type = schema?.['type'];
  const empty = type === 'array' ? [] : type === undefined || type === 'object' ? {} : type === 'string' ? '' : null;
  return JSON.stringify(value ?? empty, null, 2);
}

/** Field ids consist of the names on their path; the error may be deeper than the last field. */
function goTo(id: string, { path }: ValueFault): void {
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
