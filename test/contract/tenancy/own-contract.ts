/** A tenancy's contract made up for the tests: the account payload and the transactions request. */
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
  /data-import/transactions/create/:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                transactions:
                  type: array
                  minItems: 1
                  items: { $ref: '#/components/schemas/Transaction' }
components:
  schemas:
    Account:
      type: object
      required: [import_supplier, brand, created]
      properties:
        import_supplier: { type: string }
        brand: { $ref: '#/components/schemas/Brand' }
        created: { type: string, readOnly: true }
        sales_channel: { type: string, enum: [FIELD, PHONE] }
        transfer_balance: { type: string, format: decimal, pattern: '^-?\\d{0,6}(?:\\.\\d{0,2})?$' }
        customers:
          type: array
          items:
            type: object
            properties:
              family_name: { type: string, maxLength: 12 }
              email: { type: string, format: email, nullable: true }
              loyalty: { $ref: '#/components/schemas/Loyalty' }
        billing_address:
          allOf: [{ $ref: '#/components/schemas/Address' }]
          nullable: true
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
        postal_code: { type: string, pattern: '^[A-Z0-9 ]{1,8}$' }
    Transaction:
      oneOf:
        - { $ref: '#/components/schemas/Charge' }
        - { $ref: '#/components/schemas/Payment' }
      discriminator:
        propertyName: type
        mapping:
          CHARGE: '#/components/schemas/Charge'
          PAYMENT: Payment
    Charge:
      type: object
      required: [meter]
      properties:
        type: { type: string }
        meter: { type: string, maxLength: 4 }
        reason: { type: string, enum: [MONTHLY] }
    Payment:
      type: object
      required: [payment_type]
      properties:
        type: { type: string }
`;
