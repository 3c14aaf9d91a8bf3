/** A tenancy's contract made up for the tests: not all of the interface, some of it in other forms, and fields of its own. */
export const ownContract = `
openapi: 3.0.3
info: { title: Marsh Power, version: '1' }
servers:
  - url: https://api.example.com/v1
paths:
  /data-import/validate-account/:
    post:
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Account' }
  /data-import/account-import-process/create-or-update/:
    post:
      requestBody: { $ref: '#/components/requestBodies/Account' }
  /data-import/account-import-process/process/:
    post:
      requestBody:
        content:
          application/json:
            schema:
              required: [import_supplier_code, external_account_number]
              properties:
                import_supplier_code: { type: string }
                external_account_number: { type: string }
                operations_team_name: { type: string }
                dry_run: { type: boolean }
  /data-import/transactions/create/:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [import_supplier]
              properties:
                import_supplier: { type: string }
                external_account_number: { type: string }
                transactions:
                  type: array
                  minItems: 1
                  items: { $ref: '#/components/schemas/Transaction' }
  /data-import/historical-statements/create/:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                import_supplier: { type: string }
                external_account_number: { type: string }
                statements:
                  type: array
                  items:
                    type: object
                    required: [statement_id]
                    properties:
                      statement_id: { type: string }
                      gross_amount: { type: integer, nullable: true }
                      rate: { type: number }
components:
  requestBodies:
    Account:
      content:
        application/json:
          schema: { $ref: '#/components/schemas/Account' }
  schemas:
    Account:
      type: object
      required: [import_supplier, brand, created]
      x-validators:
        - { name: Campaign, possible_errors: [campaign_not_found] }
      properties:
        import_supplier: { type: string }
        external_account_number: { type: string }
        brand: { $ref: '#/components/schemas/Brand' }
        created: { type: string, readOnly: true }
        sales_channel: { type: string, enum: [FIELD, PHONE], nullable: true }
        sales_subchannel: { type: string }
        transfer_balance: { type: string, format: decimal, pattern: '^-?\\d{0,6}(?:\\.\\d{0,2})?$' }
        customers:
          type: array
          items:
            type: object
            properties:
              family_name: { type: string, maxLength: 12 }
              mobile: { type: string, nullable: true }
              email: { type: string, format: email, nullable: true }
              loyalty: { $ref: '#/components/schemas/Loyalty' }
        billing_address1: { type: string }
        billing_postcode: { type: string, pattern: '^[A-Z0-9 ]{1,8}$' }
        delivery:
          allOf: [{ $ref: '#/components/schemas/Address' }]
          nullable: true
        supply_addresses:
          type: array
          items:
            type: object
            required: [supply_address, meter_points]
            properties:
              supply_address: { $ref: '#/components/schemas/Address' }
              meter_points:
                type: array
                items: { $ref: '#/components/schemas/MeterPoint' }
        labels: { type: object, additionalProperties: { type: string } }
    MeterPoint:
      oneOf:
        - { $ref: '#/components/schemas/Electric' }
        - { $ref: '#/components/schemas/Gas' }
      discriminator:
        propertyName: supply_type
        mapping: { ELECTRICITY: '#/components/schemas/Electric', GAS: '#/components/schemas/Gas' }
    Electric:
      type: object
      required: [mpxn, supply_start_date]
      properties:
        mpxn: { type: string }
        supply_start_date: { type: string, format: date }
        agreements:
          type: array
          items:
            type: object
            properties:
              effective_from: { type: string, format: date }
              tariff_code: { type: string }
    Gas:
      type: object
      required: [mpxn]
      properties:
        mpxn: { type: string, maxLength: 10 }
        pressure: { type: number }
    Brand:
      oneOf:
        - { type: string, enum: [MARSH, FEN] }
        - { type: string, enum: [''] }
    Loyalty:
      type: object
      properties:
        points: { type: integer, minimum: 0, exclusiveMinimum: true }
        friend: { $ref: '#/components/schemas/Loyalty' }
    Address:
      type: object
      properties:
        street_address: { type: string }
        postal_code: { type: string, pattern: '^[A-Z0-9 ]{1,8}$' }
        country: { type: string }
    Transaction:
      oneOf:
        - { $ref: '#/components/schemas/Charge' }
        - { $ref: '#/components/schemas/Payment' }
      discriminator:
        propertyName: type
        mapping:
          CHARGE: '#/components/schemas/Charge'
          PAYMENT: Payment
    Common:
      type: object
      required: [transaction_id, transaction_date, amount]
      properties:
        transaction_id: { type: string }
        transaction_date: { type: string, format: date }
        amount: { type: string, format: decimal, pattern: '^-?\\d{0,10}(?:\\.\\d{0,10})?$' }
    Charge:
      allOf:
        - { $ref: '#/components/schemas/Common' }
        - type: object
          required: [meter]
          properties:
            meter: { type: string, maxLength: 4 }
            reason: { type: string, enum: [MONTHLY] }
    Payment:
      allOf:
        - { $ref: '#/components/schemas/Common' }
        - type: object
          required: [payment_type]
          properties:
            payment_type: { type: string }
`;
