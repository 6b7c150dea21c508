-- What staff paid back in each month.
SELECT substr(day, 1, 7) AS month, SUM(-amountCents) AS refundedCents
  FROM payments WHERE kind = 'refunded' GROUP BY 1 ORDER BY 1
