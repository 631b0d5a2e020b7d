import { ActionIcon, Box, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { withTheme } from '@rjsf/core';
import { Theme } from '@rjsf/mantine';
import {
  buttonId,
  canExpand,
  getTemplate,
  type ArrayFieldTemplateProps,
  type ErrorSchema,
  type IconButtonProps,
  type ObjectFieldTemplateProps,
  type RJSFSchema,
  type WidgetProps,
} from '@rjsf/utils';
import '@mantine/dates/styles.css';
import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconX, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import type { ValueError } from './find-value-errors.js';
import type { ObjectValue } from './json-object.js';
import { isNumeric, NumberField, NumberWidget } from './number-field.js';
import { buildErrorSchema, rjsfValidator } from './rjsf-validator.js';

const ThemedForm = withTheme(Theme);

/** Strings that may be longer than this get a multi-line field. */
const MAX_SINGLE_LINE_LENGTH = 200;

function TextWidget(props: WidgetProps) {
  const { schema, registry, options } = props;
  if (isNumeric(schema)) return <NumberWidget {...props} />;
  const { TextareaWidget } = registry.widgets;
  const BaseInput = getTemplate('BaseInputTemplate', registry, options);
  if (TextareaWidget !== undefined && (schema.maxLength ?? 0) > MAX_SINGLE_LINE_LENGTH)
    return <TextareaWidget {...props} options={{ ...options, autosize: true, minRows: 3, maxRows: 12 }} />;
  return <BaseInput {...props} />;
}

/** Returns a theme widget that also displays the schema's description, which these two widgets omit. */
function withDescription(name: 'SelectWidget' | 'TextareaWidget') {
  return function DescribedWidget(props: WidgetProps) {
    const ThemeWidget = Theme.widgets?.[name];
    const { options, schema, hideLabel } = props;
    const description = hideLabel === true ? undefined : (options.description ?? schema.description);
    return ThemeWidget === undefined ? null : (
      <ThemeWidget {...props} options={{ ...options, ...(description !== undefined && { description }) }} />
    );
  };
}

/** A date in the browser's date field. Times are edited as text ({@link TimeTextWidget}). */
function DateWidget(props: WidgetProps) {
  const BaseInput = getTemplate('BaseInputTemplate', props.registry, props.options);
  return <BaseInput {...props} type="date" />;
}

function TimeTextWidget(props: WidgetProps) {
  const BaseInput = getTemplate('BaseInputTemplate', props.registry, props.options);
  const example = props.schema.format === 'time' ? '09:30:00Z' : '2026-12-31T09:30:00Z';
  return <BaseInput {...props} type="text" placeholder={props.placeholder || example} />;
}

function ObjectField({
  title,
  description,
  properties,
  schema,
  uiSchema,
  formData,
  fieldPathId,
  disabled,
  readonly,
  onAddProperty,
}: ObjectFieldTemplateProps) {
  const fields = (
    <Stack gap="md">
      {description !== undefined && description !== '' && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      {properties
        .filter(({ hidden }) => !hidden)
        .map(({ name, content }) => (
          <Box key={name}>{content}</Box>
        ))}
      {canExpand(schema, uiSchema, formData) && (
        <Button
          id={buttonId(fieldPathId, 'add')}
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={disabled === true || readonly === true}
          onClick={onAddProperty}
        >
          {title ? texts.forms.addTo(title) : texts.forms.add}
        </Button>
      )}
    </Stack>
  );
  // The heading above the form names the root object.
  return fieldPathId.path.length === 0 ? fields : <Fieldset legend={title}>{fields}</Fieldset>;
}

function ArrayField({
  title,
  items,
  schema,
  canAdd,
  disabled,
  readonly,
  onAddClick,
  fieldPathId,
}: ArrayFieldTemplateProps) {
  return (
    <Fieldset legend={title}>
      <Stack gap="xs">
        {schema.description !== undefined && (
          <Text size="sm" c="dimmed">
            {schema.description}
          </Text>
        )}
        {items}
        {canAdd && (
          <Button
            id={buttonId(fieldPathId, 'add')}
            variant="default"
            size="xs"
            w="fit-content"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={disabled === true || readonly === true}
            onClick={onAddClick}
          >
            {title ? texts.forms.addTo(title) : texts.forms.add}
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
}

function createIconButton(Icon: TablerIcon, label: string) {
  return function FieldButton({ id, disabled, onClick }: IconButtonProps) {
    return (
      <ActionIcon
        id={id}
        variant="subtle"
        color="gray"
        size={28}
        disabled={disabled}
        onClick={onClick}
        aria-label={label}
        title={label}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    );
  };
}

const { buttons } = texts.forms;

const templates = {
  ObjectFieldTemplate: ObjectField,
  ArrayFieldTemplate: ArrayField,
  ButtonTemplates: {
    MoveUpButton: createIconButton(IconArrowUp, buttons.up),
    MoveDownButton: createIconButton(IconArrowDown, buttons.down),
    CopyButton: createIconButton(IconCopy, buttons.copy),
    RemoveButton: createIconButton(IconX, buttons.remove),
  },
};

const fields = { NumberField };

const widgets = {
  TextWidget,
  TextareaWidget: withDescription('TextareaWidget'),
  SelectWidget: withDescription('SelectWidget'),
  DateWidget,
  DateTimeWidget: TimeTextWidget,
  TimeWidget: TimeTextWidget,
  FileWidget: TextWidget,
};

interface RjsfFormProps {
  readonly id: string;
  readonly schema: ObjectValue;
  readonly value: unknown;
  readonly disabled: boolean;
  /** Errors from the server. */
  readonly serverErrors: readonly ValueError[];
  /** Whether input is validated while typing: true after the first failed attempt to submit. */
  readonly validatesWhileTyping: boolean;
  onChange(value: unknown): void;
  onSubmit(value: unknown): void;
  onInvalid(): void;
  readonly children: ReactNode;
}

/** A form made from a schema that `toFormSchema` accepts. Loaded on first use. */
export function RjsfForm({
  id,
  schema,
  value,
  disabled,
  serverErrors,
  validatesWhileTyping,
  onChange,
  onSubmit,
  onInvalid,
  children,
}: RjsfFormProps) {
  return (
    <ThemedForm
      id={id}
      idPrefix={id}
      schema={schema as RJSFSchema}
      validator={rjsfValidator}
      formData={value}
      disabled={disabled}
      extraErrors={buildErrorSchema(serverErrors).ErrorSchema as ErrorSchema}
      liveValidate={validatesWhileTyping ? 'onChange' : false}
      noHtml5Validate
      showErrorList={false}
      fields={fields}
      widgets={widgets}
      templates={templates}
      experimental_defaultFormStateBehavior={{ emptyObjectFields: 'skipEmptyDefaults' }}
      onChange={({ formData }) => onChange(formData)}
      onSubmit={({ formData }) => onSubmit(formData)}
      onError={onInvalid}
    >
      <Group mt="md">{children}</Group>
    </ThemedForm>
  );
}
