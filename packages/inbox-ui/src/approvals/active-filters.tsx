import { toOneLine } from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { RemovablePill } from '../ui/removable-pill.js';
import { APPROVAL_FILTERS, changeFilter, type ApprovalFilter, type ApprovalFilterName } from './approval-filter.js';

const t = texts.approvals.filters;

interface ActiveFiltersProps {
  readonly filter: ApprovalFilter;
  onFilter(filter: ApprovalFilter): void;
}

/** The active filters, which can be removed one by one. */
export function ActiveFilters({ filter, onFilter }: ActiveFiltersProps) {
  const active = APPROVAL_FILTERS.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (active.length === 0) return null;
  return (
    <div className="cs-approvals-filters" role="group" aria-label={t.active}>
      {active.map(({ name, value }) => (
        <RemovablePill
          key={name}
          removeLabel={t.remove(t.names[name])}
          onRemove={() => onFilter(changeFilter(filter, name, null))}
        >
          {t.is(t.names[name], labelValue(name, value))}
        </RemovablePill>
      ))}
    </div>
  );
}

function labelValue(name: ApprovalFilterName, value: string): string {
  if (name === 'due') return t.dueRanges[value as keyof typeof t.dueRanges];
  if (name === 'riskLevel') return texts.risk[value as keyof typeof texts.risk];
  return toOneLine(value, 60);
}
