import type { JsonObject } from '../domain/json.ts';
import { dateText } from './calendar.ts';
import type { Country } from './countries.ts';
import type { Sheet } from './sheet.ts';

/** An address whose house number no other address of the account has (interface, section 2.3). */
export function address({ dice }: Sheet, country: Country, number: number): JsonObject {
  const [locality, area] = dice.pick(country.towns);
  return {
    street_address: `${number} ${dice.pick(country.streets)}`,
    locality,
    administrative_area: area,
    postal_code: country.postalCode(dice),
    country: country.code,
  };
}

/** The supply addresses of an account: none, one or two, each with its supply points (interface, section 2.3). */
export function supplyAddressesOf(sheet: Sheet, country: Country): JsonObject[] {
  const count = sheet.position % 17 === 16 ? 0 : 1 + Number(sheet.oneIn(5));
  return Array.from({ length: count }, (_, index) => {
    const points = 1 + Number(sheet.oneIn(4));
    return {
      customer_at_supply_address_from_date: dateText(sheet.opened),
      supply_address: address(sheet, country, 10 + index),
      supply_points: Array.from({ length: points }, (_, point) => supplyPoint(sheet, index * points + point)),
    };
  });
}

function supplyPoint(sheet: Sheet, index: number): JsonObject {
  const { dice, opened, closing } = sheet;
  const load_zone = `ZONE_${dice.between(1, 9)}`;
  return {
    agreements: agreements(sheet),
    last_billed_to_date: dateText(closing),
    supply_start_date: dateText(opened),
    identifier: supplyPointIdentifier(sheet, index),
    supply_type: 'ELECTRICITY',
    load_zone,
  };
}

/** Agreements that follow one another from the day supply began; the last one runs on. */
function agreements({ dice, opened }: Sheet): JsonObject[] {
  let from = opened;
  return Array.from({ length: dice.between(1, 3) }, () => {
    const agreement = { effective_from: dateText(from), tariff_code: tariffCode(dice.between(1, 99)) };
    from += dice.between(60, 120);
    return agreement;
  });
}

export function supplyPointIdentifier({ position }: Sheet, index: number): string {
  return `12${String(position + 1).padStart(9, '0')}${String(index).padStart(2, '0')}`;
}

export function tariffCode(number: number): string {
  return `STANDARD-${String(number).padStart(2, '0')}`;
}
