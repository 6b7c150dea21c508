-- Revenue of each month, and how it differs from the month before it in this list.
WITH booked AS (
  SELECT completedOn AS day, totalCents AS cents, 1 AS completed FROM orders WHERE completedOn IS NOT NULL AND NOT isDeleted
  UNION ALL
  SELECT day, revenueCents, 0 FROM payments WHERE kind = 'refunded'
  UNION ALL
  SELECT completedOn, -payments.revenueCents, 0
    FROM payments JOIN orders USING (orderId) WHERE kind = 'refunded' AND isDeleted AND completedOn IS NOT NULL
), months AS (
  SELECT substr(day, 1, 7) AS month, SUM(completed) AS completed, SUM(cents) AS revenueCents
    FROM booked GROUP BY 1 HAVING SUM(completed) <> 0 OR SUM(cents) <> 0
)
SELECT *, revenueCents - lag(revenueCents) OVER (ORDER BY month) AS differenceCents FROM months ORDER BY month
