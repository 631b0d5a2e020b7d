import { ActionIcon, Indicator, Popover, Select, Stack } from '@mantine/core';
import { RISK_LEVELS, type ApprovalStatus, type ValueCount } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { toOneLine } from '../inbox/index.js';
import { texts } from '../texts/index.js';
import {
  APPROVAL_FILTERS,
  changeFilter,
  DUE_RANGES,
  type ApprovalFilter,
  type ApprovalFilterName,
} from './approval-filter.js';

const t = texts.approvals.filters;

interface FilterButtonProps {
  readonly filter: ApprovalFilter;
  /** Status of the approvals whose values are offered. */
  readonly status: ApprovalStatus | 'all';
  onFilter(filter: ApprovalFilter): void;
}

/** Button that opens the filters of the list. The offered values are those that occur, with their numbers. */
export function FilterButton({ filter, status, onFilter }: FilterButtonProps) {
  const client = useClient();
  const [isOpen, setIsOpen] = useState(false);
  const counts = useQuery({
    queryKey: queryKeys.inboxCounts({ status }),
    queryFn: ({ signal }) => client.countInbox({ status }, { signal }),
    enabled: isOpen,
  });
  const options: Readonly<Record<ApprovalFilterName, readonly { readonly value: string; readonly label: string }[]>> = {
    workflowId: toOptions(counts.data?.workflows),
    riskLevel: [...RISK_LEVELS].reverse().map((value) => ({ value, label: texts.risk[value] })),
    due: DUE_RANGES.map((value) => ({ value, label: t.dueRanges[value] })),
    requestedBy: toOptions(counts.data?.requesters),
    candidateGroup: toOptions(counts.data?.groups),
  };
  const activeCount = APPROVAL_FILTERS.filter((name) => filter[name] !== undefined).length;
  return (
    <Popover
      position="bottom-end"
      shadow="md"
      width="min(320px, calc(100vw - 24px))"
      trapFocus
      withRoles={false}
      opened={isOpen}
      onChange={setIsOpen}
    >
      <Popover.Target>
        <Indicator label={activeCount} size={16} disabled={activeCount === 0}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t.label}
            title={t.label}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconFilter size={16} aria-hidden />
          </ActionIcon>
        </Indicator>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-modal aria-label={t.label} mah="70vh" style={{ overflow: 'auto' }}>
        <Stack gap="sm">
          {APPROVAL_FILTERS.map((name) => (
            <Select
              key={name}
              label={t.names[name]}
              placeholder={t.any}
              clearable
              openOnFocus={false}
              searchable={name !== 'riskLevel' && name !== 'due'}
              nothingFoundMessage={counts.isPending ? texts.app.loading : t.none}
              clearButtonProps={{ 'aria-label': t.remove(t.names[name]) }}
              data={withCurrent(options[name], filter[name])}
              value={filter[name] ?? null}
              onChange={(value) => onFilter(changeFilter(filter, name, value))}
              comboboxProps={{ withinPortal: false }}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function toOptions(values: readonly ValueCount[] = []): { readonly value: string; readonly label: string }[] {
  return values.map(({ value, count }) => ({ value, label: t.counted(toOneLine(value, 60), count) }));
}

/** Adds the selected value if it is not offered, because no approval has it any more. */
function withCurrent(
  options: readonly { readonly value: string; readonly label: string }[],
  value: string | undefined,
): { readonly value: string; readonly label: string }[] {
  return value === undefined || options.some((option) => option.value === value)
    ? [...options]
    : [...options, { value, label: toOneLine(value, 60) }];
}
