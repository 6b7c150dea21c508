-- Revenue of each day, as the dashboard shows it: sales on the day of completion, refunds on their own day.
-- A deleted order leaves the day of its sale; what was refunded of it before stays on both days.
WITH booked AS (
  SELECT completedOn AS day, totalCents AS cents, 1 AS completed FROM orders WHERE completedOn IS NOT NULL AND NOT isDeleted
  UNION ALL
  SELECT day, revenueCents, 0 FROM payments WHERE kind = 'refunded'
  UNION ALL
  SELECT completedOn, -payments.revenueCents, 0
    FROM payments JOIN orders USING (orderId) WHERE kind = 'refunded' AND isDeleted AND completedOn IS NOT NULL
)
SELECT day, SUM(completed) AS completed, SUM(cents) AS revenueCents
  FROM booked GROUP BY day HAVING SUM(completed) <> 0 OR SUM(cents) <> 0 ORDER BY day
